/** All parts that a hub needs, by the names of `--only`. */
import { invalidOption } from '../core/fault.ts';
import { ownValue } from '../core/own-value.ts';
import { admissionPolicy, admissionWebhook } from './admission.ts';
import { auditFiles, auditPolicy, auditWebhook } from './audit.ts';
import { bridge } from './bridge.ts';
import { crd, elasticKinds } from './crd.ts';
import { holdPolicy, holdWebhook } from './holds.ts';
import { withLabels } from './labels.ts';
import { priority } from './priority.ts';
import { memberRbac, rbac } from './rbac.ts';
import { type ManifestTarget } from './target.ts';
import { type PrintedManifest, toYaml } from './to-yaml.ts';

/** Objects for kubectl, or a file for a flag of the API server. */
type ManifestPart =
  | { readonly makes: 'objects'; readonly make: (target: ManifestTarget) => readonly PrintedManifest[] }
  | { readonly makes: 'file'; readonly make: (target: ManifestTarget) => string };

const parts: Readonly<Record<string, ManifestPart>> = {
  crd: { makes: 'objects', make: crd },
  'elastic-crds': { makes: 'objects', make: elasticKinds },
  rbac: { makes: 'objects', make: rbac },
  'flow-schema': { makes: 'objects', make: priority },
  'admission-policy': { makes: 'objects', make: admissionPolicy },
  'admission-webhook': { makes: 'objects', make: admissionWebhook },
  'hold-policy': { makes: 'objects', make: holdPolicy },
  'hold-webhook': { makes: 'objects', make: holdWebhook },
  'audit-files': { makes: 'objects', make: auditFiles },
  'audit-policy': { makes: 'file', make: auditPolicy },
  'audit-webhook': { makes: 'file', make: auditWebhook },
  bridge: { makes: 'objects', make: bridge },
  'member-rbac': { makes: 'objects', make: memberRbac },
};

export const partNames = Object.keys(parts);

/** The objects of a part, with labels. */
function made(name: string, target: ManifestTarget): readonly PrintedManifest[] {
  const part = parts[name];
  if (part?.makes !== 'objects') throw new Error(`${name} is no part that makes objects`);
  return part.make(target).map((each) => ({ ...each, object: withLabels(each.object, name, target) }));
}

/** Without optional parts: the webhooks cost a call per write and are for hubs without admission policies; the bridge is for hubs that send no audit events; the last is for members. */
function whole({
  policies = false,
  budgets = false,
  gracefulReduction = false,
  elasticWorkloads = false,
}: ManifestTarget): readonly string[] {
  const holds = gracefulReduction ? ['hold-policy'] : [];
  const kinds = [...(policies || budgets ? ['crd'] : []), ...(elasticWorkloads ? ['elastic-crds'] : [])];
  return [...kinds, 'rbac', 'flow-schema', 'admission-policy', ...holds, 'audit-files'];
}

/** Objects of one part, to compare them with those on a hub. */
export function objectsOf(part: string, target: ManifestTarget): readonly object[] {
  return made(part, target).map(({ object }) => object);
}

/** Parts that contain the hub's name and the hook's URL; the others are the same for every hub. */
const calling: readonly string[] = ['admission-webhook', 'hold-webhook', 'audit-files', 'audit-webhook'];

/** The whole without the parts that call the hook: the same objects for every hub with these features. */
export function commonManifests(target: ManifestTarget): readonly PrintedManifest[] {
  return whole(target)
    .filter((name) => !calling.includes(name))
    .flatMap((name) => made(name, target));
}

export function callsHook(only: readonly string[]): boolean {
  return only.length === 0 || only.some((name) => calling.includes(name));
}

/** The given parts, or all. Throws a terminal Fault for an unknown name, and for a file mixed with other parts. */
export function manifestsOf(target: ManifestTarget, only: readonly string[] = []): string {
  if (only.length === 0) return toYaml(whole(target).flatMap((name) => made(name, target)));
  const chosen = only.map((name) => {
    const part = ownValue(parts, name);
    if (part === undefined)
      throw invalidOption(`--only ${name}: Unsupported value; supported values: ${partNames.join(', ')}`);
    return { name, part };
  });
  const file = chosen.find(({ part }) => part.makes === 'file');
  if (file?.part.makes === 'file') {
    if (chosen.length > 1)
      throw invalidOption(`--only ${only.join(' ')}: ${file.name} is a file, no object; ask for it alone`);
    return file.part.make(target);
  }
  return toYaml(chosen.flatMap(({ name }) => made(name, target)));
}
