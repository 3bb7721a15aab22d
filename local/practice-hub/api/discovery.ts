/** The discovery that kubectl requests first: version, health, groups, versions and kinds. For the API server. */
import { apiVersionOf, type KindDefinition } from '../store/kind-definition.ts';
import { kinds } from '../store/kinds.ts';

/** kubectl warns of a server that is more than one minor version away; 1.32 is what most of those in use can talk to. */
const MINOR = '32';
const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

const version = {
  major: '1',
  minor: MINOR,
  gitVersion: `v1.${MINOR}.0-evenkeel-practice`,
  gitCommit: '',
  gitTreeState: '',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: 'none',
  compiler: 'none',
  platform: 'node',
};

/** Group versions in the table's order. */
export const groupVersions: readonly { readonly group: string; readonly version: string; readonly path: string }[] = [
  ...new Map(
    kinds.map((kind) => {
      const apiVersion = apiVersionOf(kind);
      const path = kind.group === '' ? `api/${apiVersion}` : `apis/${apiVersion}`;
      return [path, { group: kind.group, version: kind.version, path }] as const;
    }),
  ).values(),
];

/** The document at a path; undefined if there is none. `address` is the server's own host and port. */
export function discover(path: string, address: string): object | undefined {
  if (path === '/version') return version;
  if (path === '/api') {
    const serverAddressByClientCIDRs = [{ clientCIDR: '0.0.0.0/0', serverAddress: address }];
    return { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs };
  }
  if (path === '/apis') return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups().map(groupOf) };
  if (path === '/')
    return {
      paths: ['/api', '/apis', ...groupVersions.map((one) => `/${one.path}`), '/openapi/v2', '/openapi/v3', '/version'],
    };
  const group = groups().find((one) => path === `/apis/${one}`);
  if (group !== undefined) return { kind: 'APIGroup', apiVersion: 'v1', ...groupOf(group) };
  const found = groupVersions.find((one) => path === `/${one.path}`);
  return found && resourceList(found.group, found.version);
}

function groups(): readonly string[] {
  return [...new Set(groupVersions.map(({ group }) => group))].filter((group) => group !== '');
}

function groupOf(group: string): object {
  const versions = groupVersions
    .filter((one) => one.group === group)
    .map((one) => ({ groupVersion: `${group}/${one.version}`, version: one.version }));
  return { name: group, versions, preferredVersion: versions[0] };
}

function resourceList(group: string, wanted: string): object {
  const served = kinds.filter((kind) => kind.group === group && kind.version === wanted);
  const groupVersion = group === '' ? wanted : `${group}/${wanted}`;
  return { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: served.flatMap(resourcesOf) };
}

function resourcesOf(definition: KindDefinition): object[] {
  const { plural, singular, namespaced, kind, shortNames, categories, subresources } = definition;
  const short = { ...(shortNames.length > 0 && { shortNames }), ...(categories && { categories }) };
  return [
    { name: plural, singularName: singular, namespaced, kind, verbs: VERBS, ...short },
    ...subresources.map((one) => ({
      name: `${plural}/${one}`,
      singularName: '',
      namespaced,
      ...(one === 'scale' ? { group: 'autoscaling', version: 'v1', kind: 'Scale' } : { kind }),
      verbs: ['get', 'patch', 'update'],
    })),
  ];
}
