import { aerodrome } from '../../src/analyses/aerodrome/index.ts';
import { describeAgreement } from '../support/agreement.ts';

describeAgreement(aerodrome, { verdict: 'exact', firstEvent: 'or-later', violated: 'none' });
