/**
 * The only source of credentials of a function, in place of the SDK's chain: Lambda sets them in the environment. The rest of the chain (profiles, SSO,
 * STS, containers, EC2) is a fifth of a bundle, and is never reached there.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
