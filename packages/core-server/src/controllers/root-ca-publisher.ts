import type { ConfigMap } from '@tributary/api/core-v1';
import { type ControllerDependencies, configMaps } from '@tributary/client/controller';
import { runPerNamespace } from './per-namespace.ts';

const NAME = 'kube-root-ca.crt';
const KEY = 'ca.crt';
const ANNOTATION = 'kubernetes.io/description';
const DESCRIPTION =
  'Authorities of the serving certificate of this API server, for clients inside the cluster. Managed by a controller; do not edit.';

/** Publishes the authority of the serving certificate in every namespace. `resync` publishes a changed one. */
export function runRootCaPublisher(
  ca: () => string,
  dependencies: ControllerDependencies,
): { readonly done: Promise<void>; again(): void } {
  return runPerNamespace<ConfigMap>(
    {
      name: 'root-ca-certificate-publisher',
      type: configMaps,
      objectName: NAME,
      watchByName: true, // There may be many ConfigMaps.
      desired: (namespace) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: NAME,
          namespace,
          annotations: { [ANNOTATION]: DESCRIPTION },
        },
        data: { [KEY]: ca() },
      }),
      correct: (live) => {
        const wanted = ca();
        const { data = {}, metadata } = live;
        const isRight = data[KEY] === wanted && Object.keys(data).length === 1;
        // As upstream: a changed annotation is kept, and an empty one replaced.
        if (isRight && metadata.annotations?.[ANNOTATION]) return undefined;
        const annotations = { ...metadata.annotations, [ANNOTATION]: DESCRIPTION };
        return { ...live, metadata: { ...metadata, annotations }, data: { [KEY]: wanted } };
      },
    },
    dependencies,
  );
}
