import type { ConfigMap } from '@tributary/api/core-v1';
import { type ControllerDependencies, configMaps } from '@tributary/client/controller';
import { runPerNamespace } from './per-namespace.ts';

const NAME = 'kube-root-ca.crt';
const KEY = 'ca.crt';
const ANNOTATION = 'kubernetes.io/description';
const DESCRIPTION =
  'Who may have signed the certificate of this API server, for clients inside the cluster. It is kept up to date; do not change it.';

/** Every namespace knows who signed the server's certificate. `again` after that has changed. */
export function runRootCaPublisher(
  ca: () => string,
  dependencies: ControllerDependencies,
): { readonly done: Promise<void>; again(): void } {
  return runPerNamespace<ConfigMap>(
    {
      name: 'root-ca-certificate-publisher',
      type: configMaps,
      objectName: NAME,
      followedAlone: true, // ConfigMaps may be many
      wanted: (namespace) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: {
          name: NAME,
          namespace,
          annotations: { [ANNOTATION]: DESCRIPTION },
        },
        data: { [KEY]: ca() },
      }),
      corrected: (live) => {
        const wanted = ca();
        const { data = {}, metadata } = live;
        const isRight = data[KEY] === wanted && Object.keys(data).length === 1;
        // Whoever says something else there may: only what says nothing is put right, as upstream.
        if (isRight && metadata.annotations?.[ANNOTATION]) return undefined;
        const annotations = { ...metadata.annotations, [ANNOTATION]: DESCRIPTION };
        return { ...live, metadata: { ...metadata, annotations }, data: { [KEY]: wanted } };
      },
    },
    dependencies,
  );
}
