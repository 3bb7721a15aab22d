/** A way to reach a hub's API: the contract is run over each, since a client can spoil what the server answers. */
import type { Connection } from '../../../../shared/kubernetes/client/connection.ts';

export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface WireAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Undefined for a request that this client has no way to make. */
export type Wire = (request: WireRequest) => Promise<WireAnswer> | undefined;

export type OpenWire = (connection: Connection) => Wire;
