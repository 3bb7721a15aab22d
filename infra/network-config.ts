/** Where the functions that call hubs stand, for hubs that only a network of the customer's reaches. */

export interface NetworkConfig {
  /** From these the hubs, and AWS itself by NAT or endpoints, must be reachable. */
  readonly subnetIds: readonly string[];
  readonly securityGroupIds: readonly string[];
}

const MOST_SUBNETS = 16;
const MOST_GROUPS = 5;
const example = '{ "subnetIds": ["subnet-0a1b2c3d"], "securityGroupIds": ["sg-0a1b2c3d"] }';

/** What is wrong with the field `network`; it may be left out. */
export function wrongNetwork(network: unknown): readonly string[] {
  if (network === undefined) return [];
  if (typeof network !== 'object' || network === null || Array.isArray(network))
    return [`evenkeel.network: ${JSON.stringify(network).slice(0, 80)} is not an object; write for example ${example}`];
  const { subnetIds, securityGroupIds, ...others } = network as Readonly<Record<string, unknown>>;
  return [
    ...Object.keys(others).map(
      (field) => `evenkeel.network.${field}: there is no such field (there are: subnetIds, securityGroupIds)`,
    ),
    ...wrongIds('subnetIds', subnetIds, { prefix: 'subnet', most: MOST_SUBNETS }),
    ...wrongIds('securityGroupIds', securityGroupIds, { prefix: 'sg', most: MOST_GROUPS }),
  ];
}

function wrongIds(field: string, ids: unknown, { prefix, most }: { prefix: string; most: number }): readonly string[] {
  const wanted = `evenkeel.network.${field}: ${JSON.stringify(ids) ?? 'nothing'}`;
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > most)
    return [`${wanted} is not a list of 1 to ${most} ids; write for example ${example}`];
  const isId = (id: unknown) => typeof id === 'string' && new RegExp(`^${prefix}-[0-9a-f]{8,17}$`).test(id);
  const wrong = ids.filter((id: unknown) => !isId(id));
  return wrong.map((id) => `evenkeel.network.${field}: ${JSON.stringify(id)} is not an id like ${prefix}-0a1b2c3d`);
}
