export interface ReadyPlace {
  readonly url: string;
  readonly cluster: string;
  /** Undefined when many use it, each with a kubeconfig of their own. */
  readonly kubeconfig: string | undefined;
  readonly namespace: string;
  /** The CA that backends trust. */
  readonly frontProxyCaFile: string;
}

/** The lines printed when requests are served. */
export function readyLines(program: string, place: ReadyPlace): readonly string[] {
  const { url, cluster, kubeconfig, namespace, frontProxyCaFile } = place;
  const ready = `${program} is ready at ${url}, in front of ${cluster}`;
  const trust = `Servers behind it trust ${frontProxyCaFile} (--requestheader-client-ca-file).`;
  if (kubeconfig === undefined) {
    return [ready, trust, 'Users come with their own credentials of the cluster.'];
  }
  const kubectl = `kubectl --kubeconfig ${kubeconfig}`;
  return [
    ready,
    trust,
    `Its kubeconfig is ${kubeconfig}, for you alone. Try:`,
    `  ${kubectl} get apiservices`,
    `  ${kubectl} api-resources`,
    `  ${kubectl} get configmaps --namespace ${namespace}`,
  ];
}
