/** Converts an error of an estimator call: timeout, unreachable, untrusted, error response, or invalid response. All are retryable: the estimator may recover. */
import { Code, ConnectError } from '@connectrpc/connect';
import { Fault } from '../core/fault.ts';
import { isCutShort } from './closed-stream.ts';
import { causesOf } from './error-causes.ts';

export interface EstimatorTarget {
  readonly cluster: string;
  readonly address: string;
  readonly timeoutMs: number;
  /** The error that ended the connection, if it was not closed by us. */
  readonly brokenBy?: Error | undefined;
}

const NO_CONNECTION = /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|EPIPE)/;
/** OpenSSL error codes for certificates of either side, and for failed handshakes. */
const NO_TRUST = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|ERR_OSSL|^EPROTO$/;

export function estimatorFault(thrown: unknown, asked: EstimatorTarget): Fault {
  if (thrown instanceof Fault) return thrown;
  const error = ConnectError.from(thrown);
  const [reason, what] = read(error, asked);
  return new Fault('retryable', `the estimator of cluster ${asked.cluster} at ${asked.address}: ${what}`, {
    reason,
    cause: thrown,
  });
}

function read(error: ConnectError, { timeoutMs, brokenBy }: EstimatorTarget): readonly [reason: string, what: string] {
  if (error.code === Code.DeadlineExceeded) return ['EstimatorTimeout', `no answer within ${timeoutMs / 1000} s`];
  for (const { code = '', message, reason = message } of [...causesOf(error), ...causesOf(brokenBy)]) {
    if (NO_TRUST.test(code)) return ['EstimatorUntrusted', `${CERTIFICATES}: ${short(reason)}`];
    if (NO_CONNECTION.test(code)) return ['EstimatorUnreachable', short(message)];
  }
  const text = short(brokenBy?.message ?? error.rawMessage);
  // Only responses of the estimator itself carry a gRPC status.
  if (error.metadata.has('grpc-status')) return ['EstimatorFailed', `it answered ${Code[error.code]}: ${text}`];
  // The connection, or only this call, ended before the response.
  if (isCutShort(error) || (brokenBy === undefined && ENDED.has(error.code))) return ['EstimatorUnreachable', text];
  return ['EstimatorGarbage', `its answer is none of karmada-scheduler-estimator's: ${text}`];
}

const CERTIFICATES = 'TLS handshake failed; check the CA, the names in both certificates and their dates';
const ENDED = new Set([Code.Unavailable, Code.Canceled, Code.Aborted]);

function short(text: string): string {
  return text.slice(0, 300);
}
