/** Expires all older resourceVersions of a hub at once. */
import type { Rig } from '../rig.ts';
import { type Hub, startHub } from './hub.ts';

/** Compacts etcd, and restarts the API server, which keeps snapshots for paging. */
export async function forgetVersions(rig: Rig, hub: Hub): Promise<void> {
  const list = await hub.kubectl.run('get', '--raw', '/api/v1/namespaces?limit=1');
  const { metadata } = JSON.parse(list) as { metadata: { resourceVersion: string } };
  const response = await fetch(`http://127.0.0.1:${hub.etcdPort}/v3/kv/compaction`, {
    method: 'POST',
    body: JSON.stringify({ revision: metadata.resourceVersion, physical: true }),
  });
  if (!response.ok) throw new Error(`etcd answers ${response.status}: ${await response.text()}`);
  await rig.processes.stop('hub-apiserver');
  await startHub(rig);
}
