/** All that a hub needs, by the names that `--only` knows. */
import { admissionPolicy, admissionWebhook } from './admission.ts';
import { auditFiles, auditPolicy, auditWebhook } from './audit.ts';
import { bridge } from './bridge.ts';
import { crd, elasticKinds } from './crd.ts';
import { holdPolicy, holdWebhook } from './holds.ts';
import { priority } from './priority.ts';
import { memberRbac, rbac } from './rbac.ts';
import { type ManifestTarget, wrong } from './target.ts';
import { type Manifest, toYaml } from './to-yaml.ts';

/** Objects for kubectl, or a file for a flag of the API server. */
type Part =
  | { readonly makes: 'objects'; readonly make: (target: ManifestTarget) => readonly Manifest[] }
  | { readonly makes: 'file'; readonly make: (target: ManifestTarget) => string };

const parts: Readonly<Record<string, Part>> = {
  crd: { makes: 'objects', make: crd },
  'elastic-crds': { makes: 'objects', make: elasticKinds },
  rbac: { makes: 'objects', make: rbac },
  'flow-schema': { makes: 'objects', make: priority },
  'admission-policy': { makes: 'objects', make: admissionPolicy },
  'admission-webhook': { makes: 'objects', make: admissionWebhook },
  'hold-policy': { makes: 'objects', make: holdPolicy },
  'hold-webhook': { makes: 'objects', make: holdWebhook },
  'audit-policy': { makes: 'file', make: auditPolicy },
  'audit-webhook': { makes: 'file', make: auditWebhook },
  bridge: { makes: 'objects', make: bridge },
  'member-rbac': { makes: 'objects', make: memberRbac },
};

export const partNames = Object.keys(parts);

/** Without what only some hubs need: the webhooks cost a write a call and are for hubs that serve no policies; the bridge is for those that send no audit events; the last is for members. */
function whole({
  policies = false,
  reductions = false,
  elastic = false,
}: ManifestTarget): readonly ((target: ManifestTarget) => readonly Manifest[])[] {
  const holds = reductions ? [holdPolicy] : [];
  const kinds = [...(policies ? [crd] : []), ...(elastic ? [elasticKinds] : [])];
  return [...kinds, rbac, priority, admissionPolicy, ...holds, auditFiles];
}

/** Objects of one part, for whoever compares them with those that a hub has. */
export function objectsOf(part: string, target: ManifestTarget): readonly object[] {
  const found = parts[part];
  if (found?.makes !== 'objects') throw new Error(`${part} is no part that makes objects`);
  return found.make(target).map(({ object }) => object);
}

/** Parts that name the hub in the deployment, and the hook's URL; the others are the same for every hub. */
const calling: readonly string[] = ['admission-webhook', 'hold-webhook', 'audit-webhook'];

export function callsHook(only: readonly string[]): boolean {
  return only.length === 0 || only.some((name) => calling.includes(name));
}

/** Of these parts, or of all. Throws a terminal Fault where a name is none, or a file would be mixed with something else. */
export function manifestsOf(target: ManifestTarget, only: readonly string[] = []): string {
  if (only.length === 0) return toYaml(whole(target).flatMap((make) => make(target)));
  const chosen = only.map((name) => {
    const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
    if (part === undefined) throw wrong(`--only ${name}: there is no such part; there are ${partNames.join(', ')}`);
    return { name, part };
  });
  const file = chosen.find(({ part }) => part.makes === 'file');
  if (file?.part.makes === 'file') {
    if (chosen.length > 1) throw wrong(`--only ${only.join(' ')}: ${file.name} is a file, no object; ask for it alone`);
    return file.part.make(target);
  }
  return toYaml(chosen.flatMap(({ part }) => (part.makes === 'objects' ? part.make(target) : [])));
}
