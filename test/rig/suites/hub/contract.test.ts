/** The hub API contract on a real kube-apiserver with Karmada's CRDs: the same file tests the practice hub in `npm test`. */
import { connectionFromKubeconfig } from '../../../../shared/kubernetes/client/kubeconfig.ts';
import { hubApiContract } from '../../../contracts/hub-api.contract.ts';
import { startHub } from '../../parts/hub.ts';
import { forgetVersions } from '../../parts/hub-versions.ts';
import { rigOfSuite } from '../rig-of-suite.ts';

hubApiContract('kube-apiserver', async () => {
  const rig = rigOfSuite();
  const hub = await startHub(rig);
  return {
    connection: await connectionFromKubeconfig(hub.adminKubeconfig),
    forget: () => forgetVersions(rig, hub),
    // The suite's other files continue to use it.
    stop: async () => {},
  };
});
