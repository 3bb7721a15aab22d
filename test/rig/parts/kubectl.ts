/** kubectl with one kubeconfig, for the setup of the rig and for the commands of users. */
import { binary } from '../cache/go-binaries.ts';
import { run } from '../command.ts';

export class Kubectl {
  readonly kubeconfig: string;

  constructor(kubeconfig: string) {
    this.kubeconfig = kubeconfig;
  }

  async run(...args: readonly string[]): Promise<string> {
    return run(await binary('kubectl'), ['--kubeconfig', this.kubeconfig, ...args]);
  }

  /** Server-side, so that doing it again changes nothing and nothing is too large. */
  async apply(manifests: string | object | readonly object[]): Promise<string> {
    const input =
      typeof manifests === 'string'
        ? manifests
        : JSON.stringify(Array.isArray(manifests) ? { apiVersion: 'v1', kind: 'List', items: manifests } : manifests);
    const args = ['--kubeconfig', this.kubeconfig, 'apply', '--server-side', '--force-conflicts', '-f', '-'];
    return run(await binary('kubectl'), args, { input });
  }

  /** `kubectl apply -f -`, as a user runs it. */
  async typed(manifests: string): Promise<string> {
    return run(await binary('kubectl'), ['--kubeconfig', this.kubeconfig, 'apply', '-f', '-'], { input: manifests });
  }

  /** `kubectl delete -f -`, as a user runs it. */
  async remove(manifests: string): Promise<string> {
    return run(await binary('kubectl'), ['--kubeconfig', this.kubeconfig, 'delete', '-f', '-'], { input: manifests });
  }

  async get<T>(...args: readonly string[]): Promise<T> {
    return JSON.parse(await this.run('get', ...args, '-o', 'json')) as T;
  }
}
