/** One sweep of Evenkeel in a separate process, as the functions run it: the candidates, then chunk by chunk. It reports time and memory. */
import { task as descheduleBindings } from '../../functions/descheduler/deschedule-bindings.lambda.ts';
import { task as findCandidates } from '../../functions/descheduler/find-candidates.lambda.ts';
import type { EvenkeelEvent } from '../../shared/bus/event.ts';
import { parseSettings } from '../../shared/core/settings.ts';
import type { Telemetry } from '../../shared/core/telemetry.ts';
import { GrpcEstimator } from '../../shared/estimator/grpc-estimator.ts';
import { connectHub } from '../../shared/kubernetes/client/connect-hub.ts';
import type { Connection } from '../../shared/kubernetes/client/connection.ts';
import { MemoryDeschedulingStore } from '../../test/fakes/stores/memory-descheduling-store.ts';
import { MemoryMoveLedger } from '../../test/fakes/stores/memory-move-ledger.ts';
import { answerRequests } from '../ask-process.ts';
import type { TlsIdentity } from './estimator-process.ts';
import { TIMEOUT_SECONDS } from './members.ts';

export interface OurSweep {
  /** Read by the parent: a function loads no kubeconfig library. */
  readonly connection: Connection;
  readonly address: string;
  readonly identity: TlsIdentity;
}

export interface OurTook {
  readonly peakMb: number;
  readonly moved: number;
  /** The first estimator errors. */
  readonly faults: readonly string[];
}

const HUB = 'karmada';
const settings = parseSettings({ deschedulingRunReplicas: 1_000_000, estimatorTimeoutSeconds: TIMEOUT_SECONDS });
const faults: string[] = [];
const telemetry: Telemetry = {
  outcome: (code, fields) => void faults.push(`${code} ${JSON.stringify(fields)}`),
  count: () => undefined,
  begin: () => undefined,
};

async function sweep({ connection, address, identity }: OurSweep): Promise<OurTook> {
  const hub = connectHub(HUB, connection, { settings, telemetry });
  const { key, cert } = identity;
  const at = { address, caData: cert, certificateData: cert, keyData: key };
  const estimator = new GrpcEstimator(at, settings.estimatorTimeoutSeconds * 1000);
  const published: EvenkeelEvent[] = [];
  const ports = {
    ...{ settings, telemetry, now: () => Date.now(), newId: () => 'one', timeLeft: () => Number.POSITIVE_INFINITY },
    hubs: { connect: async () => hub, hasEstimator: async () => true, uses: async () => false } as never,
    ledger: new MemoryMoveLedger(),
    estimators: { of: async () => estimator },
    descheduling: new MemoryDeschedulingStore(),
    bus: { publish: async (events: readonly EvenkeelEvent[]) => void published.push(...events) },
  };
  await findCandidates.run({ hub: HUB }, ports, new Set(['DeschedulingDue']));
  let moved = 0;
  for (let event = published.shift(); event !== undefined; event = published.shift()) {
    const { fields } = await descheduleBindings.run(
      event.detail as { hub: string; run: string; chunk: number },
      ports,
      new Set([event.type]),
    );
    moved += Number(fields?.taken ?? 0);
  }
  estimator.close();
  return { peakMb: process.resourceUsage().maxRSS / 1024, moved, faults: faults.slice(0, 3) };
}

answerRequests(sweep);
