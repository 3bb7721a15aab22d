import { defineEvent } from '../event.ts';
import { taskDetail, taskKey } from './task-detail.ts';

export const RebalancerExpiryDue = defineEvent({
  type: 'RebalancerExpiryDue',
  version: 1,
  says: 'The time has come at which a finished rebalancer was to expire.',
  schema: taskDetail,
  key: taskKey,
});
