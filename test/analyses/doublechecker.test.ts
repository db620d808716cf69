import { doublechecker } from '../../src/analyses/doublechecker/index.ts';
import { describeAgreement } from '../support/agreement.ts';

describeAgreement(doublechecker, { verdict: 'exact', firstEvent: 'none', violated: 'none' });
