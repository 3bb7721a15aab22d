/** The Kubernetes project's own client for JavaScript, by its API for custom resources. */
import { ApiException, CustomObjectsApi, type HttpInfo, KubeConfig, setHeaderOptions } from 'client-node-2';
import type { Connection } from '../../../../shared/kubernetes/client/connection.ts';
import type { OpenWire, WireAnswer, WireRequest } from './wire.ts';

const CUSTOM =
  /^\/apis\/(?<group>[^/]+)\/(?<version>[^/]+)(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<plural>[a-z]+)(?:\/(?<name>[^/]+))?(?:\/(?<status>status))?$/;

/** Query parameters as the library calls them. */
const OPTIONS: Readonly<Record<string, string>> = {
  dryRun: 'dryRun',
  fieldManager: 'fieldManager',
  fieldValidation: 'fieldValidation',
  fieldSelector: 'fieldSelector',
  labelSelector: 'labelSelector',
  limit: 'limit',
  continue: '_continue',
  resourceVersion: 'resourceVersion',
};

type Call = (
  api: CustomObjectsApi,
  parameters: never,
  contentType: ReturnType<typeof setHeaderOptions>,
) => Promise<HttpInfo<unknown>>;

/** One call for each method and each of: cluster-scoped, namespaced, status. What is not here the library can't do. */
const calls: Readonly<Record<string, Call>> = {
  'GET cluster': (api, parameters) => api.getClusterCustomObjectWithHttpInfo(parameters),
  'GET cluster list': (api, parameters) => api.listClusterCustomObjectWithHttpInfo(parameters),
  'GET namespaced': (api, parameters) => api.getNamespacedCustomObjectWithHttpInfo(parameters),
  'GET namespaced list': (api, parameters) => api.listNamespacedCustomObjectWithHttpInfo(parameters),
  'POST cluster list': (api, parameters) => api.createClusterCustomObjectWithHttpInfo(parameters),
  'POST namespaced list': (api, parameters) => api.createNamespacedCustomObjectWithHttpInfo(parameters),
  'PUT cluster': (api, parameters) => api.replaceClusterCustomObjectWithHttpInfo(parameters),
  'PUT cluster status': (api, parameters) => api.replaceClusterCustomObjectStatusWithHttpInfo(parameters),
  'PATCH cluster': (api, parameters, type) => api.patchClusterCustomObjectWithHttpInfo(parameters, type),
  'PATCH cluster status': (api, parameters, type) => api.patchClusterCustomObjectStatusWithHttpInfo(parameters, type),
  'PATCH namespaced': (api, parameters, type) => api.patchNamespacedCustomObjectWithHttpInfo(parameters, type),
  'PATCH namespaced status': (api, parameters, type) =>
    api.patchNamespacedCustomObjectStatusWithHttpInfo(parameters, type),
  'DELETE cluster': (api, parameters) => api.deleteClusterCustomObjectWithHttpInfo(parameters),
  'DELETE namespaced': (api, parameters) => api.deleteNamespacedCustomObjectWithHttpInfo(parameters),
};

export const clientNodeWire: OpenWire = (connection) => {
  const api = kubeConfig(connection).makeApiClient(CustomObjectsApi);
  return (request) => {
    const called = callFor(request);
    return (
      called &&
      answer(called.call(api, called.parameters as never, setHeaderOptions('Content-Type', called.contentType)))
    );
  };
};

function callFor({ method, path, headers, body }: WireRequest) {
  const { pathname, searchParams } = new URL(path, 'http://hub');
  const { status, ...target } = CUSTOM.exec(pathname)?.groups ?? {};
  const known = [...searchParams.keys()].every((name) => name in OPTIONS);
  const special = typeof body === 'string' || (headers.accept ?? 'application/json') !== 'application/json';
  if (target.plural === undefined || !known || special) return undefined;
  const scope = target.namespace === undefined ? 'cluster' : 'namespaced';
  const call = calls[`${method} ${scope}${target.name === undefined ? ' list' : ''}${status ? ' status' : ''}`];
  const parameters: Record<string, unknown> = { ...target, ...(body !== undefined && { body }) };
  for (const [name, value] of searchParams)
    parameters[OPTIONS[name] ?? name] = name === 'limit' ? Number(value) : value;
  return call && { call, parameters, contentType: headers['content-type'] ?? 'application/json' };
}

async function answer(sent: Promise<HttpInfo<unknown>>): Promise<WireAnswer> {
  try {
    const { httpStatusCode, headers, data } = await sent;
    return { code: httpStatusCode, headers: headers, text: JSON.stringify(data) };
  } catch (thrown) {
    if (!(thrown instanceof ApiException)) throw thrown;
    return { code: thrown.code, headers: thrown.headers, text: String(thrown.body) };
  }
}

function kubeConfig({ server, caData, clientCertificateData, clientKeyData, token }: Connection): KubeConfig {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    // The library rejects plain HTTP without skipTLSVerify, even on loopback.
    { name: 'hub', server, skipTLSVerify: server.startsWith('http:'), ...(caData && { caData: base64(caData) }) },
    {
      name: 'user',
      ...(token && { token }),
      ...(clientCertificateData && { certData: base64(clientCertificateData) }),
      ...(clientKeyData && { keyData: base64(clientKeyData) }),
    },
  );
  return config;
}
