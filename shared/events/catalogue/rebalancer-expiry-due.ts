import { defineEvent, taskDetail, taskKey } from '../event.ts';

export const RebalancerExpiryDue = defineEvent({
  type: 'RebalancerExpiryDue',
  version: 1,
  description: 'The time has come at which a finished rebalancer was to expire.',
  schema: taskDetail,
  key: taskKey,
});
