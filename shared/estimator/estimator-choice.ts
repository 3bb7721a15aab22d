/** Reads from the options how the replicas of a hub's members are counted. */

import { createSecureContext } from 'node:tls';
import { invalidOption } from '../core/fault.ts';
import { readOptionFile } from '../core/read-option-file.ts';
import { type EstimatorChoice, isEstimatorAddress } from '../kubernetes/client/connection.ts';

export const estimatorKinds = ['scheduler-estimator', 'pods', 'none'] as const;

/** The options by name; absent if not given. */
export interface EstimatorWords {
  readonly estimator?: string | undefined;
  readonly estimatorAddress?: string | undefined;
  readonly estimatorCa?: string | undefined;
  readonly estimatorCert?: string | undefined;
  readonly estimatorKey?: string | undefined;
}

const details = {
  estimatorAddress: '--estimator-address',
  estimatorCa: '--estimator-ca',
  estimatorCert: '--estimator-cert',
  estimatorKey: '--estimator-key',
} as const;
type EstimatorOption = keyof typeof details;

/** Undefined if no option is given. Throws a terminal Fault that names the option and the remedy, and shows no content of a file. */
export function readEstimator(words: EstimatorWords): EstimatorChoice | 'none' | undefined {
  const given = (Object.keys(details) as EstimatorOption[]).filter((name) => words[name] !== undefined);
  const kind = estimatorKinds.find((known) => known === words.estimator);
  if (words.estimator !== undefined && kind === undefined)
    throw invalidOption(`--estimator ${words.estimator} is none of ${estimatorKinds.join(', ')}`);
  if (kind === 'scheduler-estimator') return schedulerEstimator(words);
  const [stray] = given;
  if (stray !== undefined)
    throw invalidOption(`${details[stray]} is for --estimator scheduler-estimator; add that, or leave it out`);
  return kind === 'pods' ? { kind } : kind;
}

function schedulerEstimator(words: EstimatorWords): EstimatorChoice {
  const need = (name: EstimatorOption): string => {
    const word = words[name];
    if (word !== undefined) return word;
    throw invalidOption(
      `--estimator scheduler-estimator needs ${details[name]}; it takes ${Object.values(details).join(', ')}`,
    );
  };
  const read = (name: EstimatorOption): string => readOptionFile(details[name], need(name));
  const address = need('estimatorAddress');
  if (!isEstimatorAddress(address))
    throw invalidOption(
      `--estimator-address ${JSON.stringify(address)} is not HOST:PORT; write for example karmada-scheduler-estimator-{cluster}.karmada-system.svc:10352`,
    );
  const choice = {
    kind: 'scheduler-estimator',
    address,
    caData: read('estimatorCa'),
    certificateData: read('estimatorCert'),
    keyData: read('estimatorKey'),
  } as const;
  try {
    createSecureContext({ ca: choice.caData, cert: choice.certificateData, key: choice.keyData });
  } catch {
    // The message of OpenSSL is omitted, since it could contain a part of the key.
    throw invalidOption(
      '--estimator-cert and --estimator-key are not a certificate and its key; give PEM files that go together',
    );
  }
  return choice;
}
