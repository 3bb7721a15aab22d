/** Parses and formats the page's addresses. They are hashes, so that any static file server can serve the page. */

export type PageRoute =
  | { readonly page: 'home' }
  | { readonly page: 'fleet'; readonly hub: string }
  | { readonly page: 'tasks'; readonly hub: string }
  | { readonly page: 'task'; readonly hub: string; readonly name: string }
  | { readonly page: 'workload'; readonly hub: string; readonly namespace: string; readonly name: string }
  | { readonly page: 'elastic'; readonly hub: string; readonly namespace: string; readonly name: string }
  | { readonly page: 'cluster'; readonly hub: string; readonly cluster: string }
  | { readonly page: 'decisions'; readonly hub: string }
  | { readonly page: 'run'; readonly hub: string; readonly run: string }
  | { readonly page: 'policies'; readonly hub: string }
  | { readonly page: 'policy'; readonly hub: string; readonly name: string }
  | { readonly page: 'health' }
  | { readonly page: 'unknown'; readonly hash: string };

/** The namespace of cluster-scoped objects in an address. */
const NO_NAMESPACE = '-';

export function parseRoute(hash: string): PageRoute {
  const parts = partsOf(hash);
  if (parts === undefined) return { page: 'unknown', hash };
  const [first = '', page = '', a = '', b = ''] = parts;
  const shape = `${parts.length} ${page}`;
  if (parts.length === 0) return { page: 'home' };
  if (parts.length === 1 && first === 'health') return { page: 'health' };
  if (parts.length === 1 || shape === '2 fleet') return { page: 'fleet', hub: first };
  if (shape === '2 tasks') return { page: 'tasks', hub: first };
  if (shape === '3 tasks') return { page: 'task', hub: first, name: a };
  if (shape === '2 policies') return { page: 'policies', hub: first };
  if (shape === '3 policies') return { page: 'policy', hub: first, name: a };
  if (shape === '2 decisions') return { page: 'decisions', hub: first };
  if (shape === '3 clusters') return { page: 'cluster', hub: first, cluster: a };
  if (shape === '3 runs') return { page: 'run', hub: first, run: a };
  if (shape === '4 workloads') return { page: 'workload', hub: first, namespace: a === NO_NAMESPACE ? '' : a, name: b };
  if (shape === '4 elastic') return { page: 'elastic', hub: first, namespace: a, name: b };
  return { page: 'unknown', hash };
}

/** Undefined for an invalid address, as "#/%E0%A4%A". */
function partsOf(hash: string): readonly string[] | undefined {
  try {
    return hash
      .replace(/^#?\/?/, '')
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

export function hrefOf(route: Exclude<PageRoute, { page: 'unknown' }>): string {
  switch (route.page) {
    case 'home':
      return '#/';
    case 'health':
      return '#/health';
    case 'fleet':
    case 'tasks':
    case 'decisions':
    case 'policies':
      return address(route.hub, route.page);
    case 'policy':
      return address(route.hub, 'policies', route.name);
    case 'task':
      return address(route.hub, 'tasks', route.name);
    case 'cluster':
      return address(route.hub, 'clusters', route.cluster);
    case 'run':
      return address(route.hub, 'runs', route.run);
    case 'elastic':
      return address(route.hub, 'elastic', route.namespace, route.name);
    case 'workload':
      return address(route.hub, 'workloads', route.namespace === '' ? NO_NAMESPACE : route.namespace, route.name);
  }
}

/** The kind as the fleet names it: "ElasticWorkload of Deployment". It has no binding. */
export function isElastic(kind: string): boolean {
  return /^ElasticWorkload\b/.test(kind);
}

/** The page of a workload. */
export function routeOf(
  hub: string,
  { kind, key }: { readonly kind: string; readonly key: { readonly namespace: string; readonly name: string } },
): Exclude<PageRoute, { page: 'unknown' }> {
  return { page: isElastic(kind) ? 'elastic' : 'workload', hub, ...key };
}

function address(...parts: readonly string[]): string {
  return `#/${parts.map(encodeURIComponent).join('/')}`;
}

/** The title of the browser's tab: the most specific part first, since tabs are truncated at the end. */
export function titleOf(route: PageRoute): string {
  switch (route.page) {
    case 'home':
      return 'Evenkeel';
    case 'health':
      return 'Health · Evenkeel';
    case 'fleet':
      return `Fleet · ${route.hub} · Evenkeel`;
    case 'tasks':
      return `Tasks · ${route.hub} · Evenkeel`;
    case 'decisions':
      return `Decisions · ${route.hub} · Evenkeel`;
    case 'policies':
      return `Policies · ${route.hub} · Evenkeel`;
    case 'policy':
      return `${route.name} · Policy · Evenkeel`;
    case 'task':
      return `${route.name} · Task · Evenkeel`;
    case 'cluster':
      return `${route.cluster} · Cluster · Evenkeel`;
    case 'run':
      return `${route.run} · Run · Evenkeel`;
    case 'elastic':
    case 'workload':
      return `${route.name} · Workload · Evenkeel`;
    case 'unknown':
      return 'Page not found · Evenkeel';
  }
}
