/** The manifests of a ManifestWork and their configuration, as the work agent reads them. */
import * as z from 'zod/mini';
import type { KubeObject } from '../../store/objects.ts';

const manifest = z.looseObject({
  apiVersion: z._default(z.string(), ''),
  kind: z._default(z.string(), ''),
  metadata: z._default(z.looseObject({ name: z._default(z.string(), ''), namespace: z._default(z.string(), '') }), {
    name: '',
    namespace: '',
  }),
});

const config = z.object({
  resourceIdentifier: z.object({
    group: z._default(z.string(), ''),
    resource: z.string(),
    name: z.string(),
    namespace: z._default(z.string(), ''),
  }),
  updateStrategy: z.optional(
    z.object({
      type: z._default(z.string(), 'Update'),
      serverSideApply: z.optional(
        z.object({
          ignoreFields: z._default(
            z.array(z.object({ condition: z._default(z.string(), 'OnSpokePresent'), jsonPaths: z.array(z.string()) })),
            [],
          ),
        }),
      ),
    }),
  ),
  feedbackRules: z._default(
    z.array(
      z.object({
        type: z.string(),
        jsonPaths: z._default(z.array(z.object({ name: z.string(), path: z.string() })), []),
      }),
    ),
    [],
  ),
  feedbackScrapeType: z._default(z.string(), 'Poll'),
});

const schema = z.object({
  spec: z._default(
    z.object({
      workload: z._default(z.object({ manifests: z._default(z.array(manifest), []) }), { manifests: [] }),
      manifestConfigs: z._default(z.array(config), []),
      deleteOption: z.optional(z.object({ propagationPolicy: z._default(z.string(), 'Foreground') })),
    }),
    { workload: { manifests: [] }, manifestConfigs: [] },
  ),
});

export type WorkManifest = z.output<typeof manifest>;
export type ManifestConfig = z.output<typeof config>;

export interface WorkSpec {
  readonly manifests: readonly WorkManifest[];
  readonly configs: readonly ManifestConfig[];
  readonly orphans: boolean;
}

export function readWork(work: KubeObject): WorkSpec {
  const { workload, manifestConfigs, deleteOption } = z.parse(schema, work).spec;
  return {
    manifests: workload.manifests,
    configs: manifestConfigs,
    orphans: deleteOption?.propagationPolicy === 'Orphan',
  };
}
