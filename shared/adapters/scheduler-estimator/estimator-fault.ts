/** Reads what a call to an estimator threw: too slow, not there, not to be trusted, refused by it, or not understandable. All of it is retryable: the other side can come right by itself. */
import { Code, ConnectError } from '@connectrpc/connect';
import { Fault } from '../../model/fault.ts';
import { causesOf } from './error-causes.ts';
import { isCutShort } from './once-more.ts';

export interface Asked {
  readonly cluster: string;
  readonly address: string;
  readonly timeoutMs: number;
  /** What ended the connection, where it ended by itself. */
  readonly brokenBy?: Error | undefined;
}

const NO_CONNECTION = /^(ECONN|ENOTFOUND|EAI_|EHOST|ENET|ETIMEDOUT|EPIPE)/;
/** What OpenSSL says of a certificate, ours or theirs, and of a handshake that comes to nothing. */
const NO_TRUST = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|ERR_OSSL|^EPROTO$/;

export function estimatorFault(thrown: unknown, asked: Asked): Fault {
  if (thrown instanceof Fault) return thrown;
  const error = ConnectError.from(thrown);
  const [reason, what] = read(error, asked);
  return new Fault('retryable', `the estimator of cluster ${asked.cluster} at ${asked.address}: ${what}`, {
    reason,
    cause: thrown,
  });
}

function read(error: ConnectError, { timeoutMs, brokenBy }: Asked): readonly [reason: string, what: string] {
  if (error.code === Code.DeadlineExceeded) return ['EstimatorTimeout', `no answer within ${timeoutMs / 1000} s`];
  for (const { code = '', message, reason = message } of [...causesOf(error), ...causesOf(brokenBy)]) {
    if (NO_TRUST.test(code)) return ['EstimatorUntrusted', `${CERTIFICATES}: ${short(reason)}`];
    if (NO_CONNECTION.test(code)) return ['EstimatorUnreachable', short(message)];
  }
  const said = short(brokenBy?.message ?? error.rawMessage);
  if (error.isWireError) return ['EstimatorFailed', `it answered ${Code[error.code]}: ${said}`];
  // The connection, or this call alone, ended under the question.
  if (isCutShort(error) || (brokenBy === undefined && ENDED.has(error.code))) return ['EstimatorUnreachable', said];
  return ['EstimatorGarbage', `its answer is none of karmada-scheduler-estimator's: ${said}`];
}

const CERTIFICATES = 'TLS came to nothing, check the CA, the names in both certificates and their dates';
const ENDED = new Set([Code.Unavailable, Code.Canceled, Code.Aborted]);

function short(text: string): string {
  return text.slice(0, 300);
}
