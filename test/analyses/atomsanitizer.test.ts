import { atomsanitizer } from '../../src/analyses/atomsanitizer/index.ts';
import { describeAgreement } from '../support/agreement.ts';

describeAgreement(atomsanitizer, { verdict: 'exact', firstEvent: 'exact', violated: 'none' });
