import { stringifyYaml } from '@tributary/apimachinery';
import { parseCertificates, subjectOf } from '@tributary/server/pki';
import { ensurePki } from './ensure.ts';
import { extensionServerInventory, type Inventory, type ServiceName } from './inventory.ts';
import { type PkiFiles, readPkiFiles, writePkiFiles } from './pki-files.ts';
import { type RollResult, type RollStep, rollAuthorities } from './roll-authorities.ts';

export interface ExtensionServer {
  /** The API group, after which its CA is named. */
  readonly group: string;
  /** The Service through which the aggregator reaches it. */
  readonly service: ServiceName;
}

export interface ExtensionServerPki {
  /** For `spec.caBundle` of its APIService: base64 of the PEM bundle. */
  readonly caBundle: string;
  /** A manifest of a Secret of type `kubernetes.io/tls`, with the bundle as `ca.crt`. */
  readonly secret: string;
  readonly made: readonly string[];
}

export const SECRET_FILE = 'secret.yaml';
export const CA_BUNDLE_FILE = 'ca-bundle.txt';
const PEM_FILES = ['ca.crt', 'tls.crt', 'tls.key'] as const;

/**
 * Creates certificates that are missing, invalid or due: the server's CA, its serving certificate, and derived files.
 */
export async function extensionServerPki(
  directory: string,
  server: ExtensionServer,
  options: { nowMs: number; renewLeaves?: boolean },
): Promise<ExtensionServerPki> {
  const { made } = await ensurePki(directory, inventoryOf(server), options);
  return { ...(await writeDerivedFiles(directory, server)), made };
}

/** One step of replacing its CA, see `roll-authorities.ts`. */
export async function rollExtensionServer(
  directory: string,
  server: ExtensionServer,
  options: { step: RollStep; nowMs: number },
): Promise<RollResult & { readonly caBundle: string }> {
  const result = await rollAuthorities(directory, inventoryOf(server), options);
  const { caBundle } = await writeDerivedFiles(directory, server);
  return { ...result, caBundle };
}

export function inventoryOf({ group, service }: ExtensionServer): Inventory {
  return extensionServerInventory(group, service);
}

/** The Service that a directory was created for, from the common name of its certificate; undefined when unreadable. */
export async function serviceOf(directory: string): Promise<ServiceName | undefined> {
  const files = await readPkiFiles(directory, ['tls.crt']);
  try {
    const [leaf] = parseCertificates(files.get('tls.crt') ?? '');
    const { commonName } = leaf === undefined ? { commonName: '' } : subjectOf(leaf);
    const [, name, namespace] = /^([^.]+)\.([^.]+)\.svc$/.exec(commonName) ?? [];
    return name === undefined || namespace === undefined ? undefined : { name, namespace };
  } catch {
    return undefined; // The caller needs the name from another source.
  }
}

/** The content of the derived files. */
export function derivedFiles(
  files: PkiFiles,
  { service }: Pick<ExtensionServer, 'service'>,
): { caBundle: string; secret: string } {
  const data = Object.fromEntries(PEM_FILES.map((name) => [name, base64(files.get(name) ?? '')]));
  const secret = stringifyYaml({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${service.name}-tls`, namespace: service.namespace },
    type: 'kubernetes.io/tls',
    data,
  });
  return { caBundle: base64(files.get('ca.crt') ?? ''), secret };
}

async function writeDerivedFiles(
  directory: string,
  server: ExtensionServer,
): Promise<{ caBundle: string; secret: string }> {
  const forms = derivedFiles(await readPkiFiles(directory, PEM_FILES), server);
  await writePkiFiles(directory, [
    { name: SECRET_FILE, text: forms.secret },
    { name: CA_BUNDLE_FILE, text: `${forms.caBundle}\n` },
  ]);
  return forms;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
