/** `npm run record:flow-control`: records the flow schemas and priority levels of kube-apiserver. */
import { writeFile } from 'node:fs/promises';
import { objectsModule, renderObjectsModule } from '../interop/flow-control/objects-module.ts';
import { readOriginalObjects } from '../interop/flow-control/original-objects.ts';
import { startReferenceStack } from '../interop/stack.ts';

try {
  await using stack = await startReferenceStack();
  const version = stack.versions.kubeApiserver;
  const objects = await readOriginalObjects(stack.kubeApiserver);
  await writeFile(objectsModule, renderObjectsModule(objects, version));
  const count = objects.flowschemas.length + objects.prioritylevelconfigurations.length;
  process.stdout.write(`${count} objects of kube-apiserver ${version}: ${objectsModule}\n`);
} catch (error) {
  // The usual cause is a missing program; the message says how to build it.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
