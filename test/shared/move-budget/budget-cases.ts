/** Limits that an API server rejects, and a part of its message: on the practice hub and on a real one. */
export const invalidLimits: readonly (readonly [limit: object, message: string])[] = [
  [{ replicas: '1' }, 'spec.limits[0].per: Required value'],
  [{ per: 'Zone', replicas: '1' }, 'spec.limits[0].per: Unsupported value: "Zone"'],
  [{ per: 'Hub' }, 'spec.limits[0].replicas: Required value'],
  [{ per: 'Hub', replicas: '101%' }, 'spec.limits[0].replicas: Invalid value'],
  [{ per: 'Hub', replicas: '-1' }, 'spec.limits[0].replicas: Invalid value'],
  [{ per: 'Hub', replicas: '1', reasons: ['Scaling'] }, 'spec.limits[0].reasons[0]: Unsupported value: "Scaling"'],
  [{ per: 'Hub', replicas: '1', window: '30s' }, 'a window is out of range; write each from 1m to 168h'],
  [{ per: 'Hub', replicas: '1', schedule: { cron: '0 9 * * *' } }, 'schedule and duration go together'],
  [{ per: 'Hub', replicas: '1', duration: '1h' }, 'schedule and duration go together'],
  [
    { per: 'Hub', replicas: '1', schedule: { cron: '0 9 * * *' }, duration: '169h' },
    'a duration is out of range; write each from 1m to 168h',
  ],
];
