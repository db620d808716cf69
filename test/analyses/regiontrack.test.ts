import { regiontrack } from '../../src/analyses/regiontrack/index.ts';
import { describeAgreement } from '../support/agreement.ts';

describeAgreement(regiontrack, {
  verdict: 'exact',
  firstEvent: 'exact',
  violated: 'exact',
  forkJoin: ['edge', 'boundary', 'family'],
});
