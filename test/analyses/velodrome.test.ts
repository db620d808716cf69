import { velodrome, velodromeWith } from '../../src/analyses/velodrome/index.ts';
import { describeAgreement, type Promised } from '../support/agreement.ts';

const promised: Promised = { verdict: 'exact', firstEvent: 'exact', violated: 'subset' };

describeAgreement(velodrome, promised);
describeAgreement({ ...velodromeWith({ merging: false }), name: 'velodrome without merging' }, promised);
describeAgreement(
  { ...velodromeWith({ compactAbove: Number.NEGATIVE_INFINITY }), name: 'velodrome, always compacting' },
  promised,
);
