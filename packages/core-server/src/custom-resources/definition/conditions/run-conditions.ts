import type { ControllerSurroundings } from '../../../controllers/surroundings.ts';
import type { UndescribedDefinitions } from '../openapi-problems.ts';
import { runApproving } from './approving.ts';
import { runDescribing } from './describing.ts';
import { runEstablishing } from './establishing.ts';
import { runNaming } from './naming.ts';
import { runNonStructural } from './non-structural.ts';

/** Everything that says in the status of a CustomResourceDefinition what became of it. */
export async function runCustomResourceConditions(
  surroundings: ControllerSurroundings,
  undescribed: UndescribedDefinitions,
): Promise<void> {
  await Promise.all([
    runNaming(surroundings),
    runEstablishing(surroundings),
    runNonStructural(surroundings),
    runApproving(surroundings),
    runDescribing(surroundings, undescribed),
  ]);
}
