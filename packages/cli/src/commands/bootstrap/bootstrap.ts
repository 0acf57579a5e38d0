import type { KubeObject } from '@tributary/apimachinery';
import {
  apiInstallation,
  type BootstrapOptions,
  bootstrapManifests,
  type Component,
  componentInstallation,
  componentManifests,
  componentWarning,
} from '@tributary/server';
import { version } from '../version.ts';
import { type ApiFlags, findApi } from './find-api.ts';
import { type ServingFlags, servingOptions } from './serving-options.ts';
import { type Form, writeDocument } from './write-document.ts';

export interface BootstrapFlags extends ApiFlags, ServingFlags {
  readonly component?: Component;
  readonly image?: string;
  readonly namespace?: string;
  readonly service?: string;
  readonly storageClaim?: string;
  readonly output: Form;
}

export interface Printed {
  readonly document: string;
  /** For people, apart from the document. */
  readonly notes: readonly string[];
}

/** The installed API server: its objects, once it is known how. */
interface Subject {
  /** Names its certificates. */
  readonly id: string;
  readonly image: string | undefined;
  readonly warnings: readonly string[];
  place(options: BootstrapOptions): { readonly namespace: string; readonly service: string };
  manifests(options: BootstrapOptions): KubeObject[];
}

export async function bootstrap(flags: BootstrapFlags): Promise<Printed> {
  const subject = await subjectOf(flags);
  const options: BootstrapOptions = {
    image: flags.image ?? subject.image ?? needsImage(),
    ...(flags.namespace !== undefined && { namespace: flags.namespace }),
    ...(flags.service !== undefined && { service: flags.service }),
    ...(flags.storageClaim !== undefined && { storageClaim: flags.storageClaim }),
  };
  const { namespace, service } = subject.place(options);
  const serving = await servingOptions(flags, { id: subject.id, namespace, service });
  const objects = subject.manifests({ ...options, ...serving.options });
  const comments = [
    ...subject.warnings.map((warning) => `WARNING: ${warning}`),
    ...(serving.options.serving === undefined
      ? []
      : [
          `The Secret ${namespace}/${service}-tls holds a private key: --omit-secret leaves it out of what is committed.`,
        ]),
    ...(flags.storageClaim === undefined
      ? ['Objects live as long as the pod: --storage-claim keeps them.']
      : []),
  ];
  return {
    document: writeDocument(objects, { form: flags.output, comments }),
    notes: [...serving.notes, ...comments],
  };
}

async function subjectOf(flags: BootstrapFlags): Promise<Subject> {
  const { component } = flags;
  if (component === undefined) {
    const { api, image } = await findApi(flags);
    return {
      id: api.group,
      image,
      warnings: [],
      place: (options) => apiInstallation(api, options),
      manifests: (options) => bootstrapManifests(api, options),
    };
  }
  if (flags.group !== undefined || flags.apiModule !== undefined) {
    throw new Error(
      `--component ${component} is no API server: leave out the group and the module`,
    );
  }
  return {
    id: component,
    image: `tributary:${version()}`,
    warnings: [componentWarning(component)],
    place: (options) => componentInstallation(component, options),
    manifests: (options) => componentManifests(component, options),
  };
}

function needsImage(): never {
  throw new Error('say which image runs the server: --image IMAGE');
}
