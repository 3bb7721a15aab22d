/** The Lease of the bridges of one hub, as an object on that hub (coordination.k8s.io/v1). */
import * as z from 'zod/mini';
import { errorStatusFault } from '../shared/kubernetes/client/error-status.ts';
import type { Transport } from '../shared/kubernetes/client/transport.ts';
import type { BridgeLease } from './decide-lease.ts';
import type { LeaseStore, LeaseWrite } from './lead.ts';

const object = z.object({
  metadata: z.object({ resourceVersion: z.string() }),
  spec: z._default(
    z.object({
      holderIdentity: z._default(z.nullable(z.string()), ''),
      renewTime: z._default(z.nullable(z.string()), ''),
      leaseDurationSeconds: z._default(z.nullable(z.number()), 15),
      leaseTransitions: z._default(z.nullable(z.number()), 0),
    }),
    { holderIdentity: '', renewTime: '', leaseDurationSeconds: 15, leaseTransitions: 0 },
  ),
});

export interface LeasePlace {
  readonly namespace: string;
  readonly name: string;
}

export class HubLease implements LeaseStore {
  readonly #transport: Transport;
  readonly #place: LeasePlace;
  readonly #now: () => number;

  constructor(transport: Transport, place: LeasePlace, now: () => number) {
    this.#transport = transport;
    this.#place = place;
    this.#now = now;
  }

  async read(): Promise<BridgeLease | undefined> {
    const { status, body } = await this.#transport.send({ method: 'GET', path: `${this.#path}/${this.#place.name}` });
    if (status === 404) return undefined;
    const parsed = object.safeParse(body);
    if (status !== 200 || !parsed.success) throw errorStatusFault('the hub', { status, body }, `read ${this.#label}`);
    const { metadata, spec } = parsed.data;
    return {
      holder: spec.holderIdentity ?? '',
      renewTime: spec.renewTime ?? '',
      durationSeconds: spec.leaseDurationSeconds ?? 15,
      transitions: spec.leaseTransitions ?? 0,
      resourceVersion: metadata.resourceVersion,
    };
  }

  async write({ holder, durationSeconds, transitions, resourceVersion }: LeaseWrite): Promise<boolean> {
    const { namespace, name } = this.#place;
    const body = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace, ...(resourceVersion !== undefined && { resourceVersion }) },
      spec: {
        holderIdentity: holder,
        leaseDurationSeconds: durationSeconds,
        leaseTransitions: transitions,
        renewTime: microTime(this.#now()),
      },
    };
    const request =
      resourceVersion === undefined
        ? ({ method: 'POST', path: this.#path, body } as const)
        : ({ method: 'PUT', path: `${this.#path}/${name}`, body } as const);
    const answer = await this.#transport.send(request);
    if (answer.status === 409 || answer.status === 404) return false;
    if (answer.status >= 300) throw errorStatusFault('the hub', answer, `write ${this.#label}`);
    return true;
  }

  get #path(): string {
    return `/apis/coordination.k8s.io/v1/namespaces/${this.#place.namespace}/leases`;
  }

  get #label(): string {
    return `Lease ${this.#place.namespace}/${this.#place.name}`;
  }
}

/** A Kubernetes MicroTime: each change proves to other bridges that the holder is alive. */
function microTime(now: number): string {
  return new Date(now).toISOString().replace('Z', '000Z');
}
