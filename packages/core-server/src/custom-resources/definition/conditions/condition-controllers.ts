import type { ControllerDependencies } from '@tributary/client/controller';
import type { UndescribedDefinitions } from '../undescribed-definitions.ts';
import { runApprovalController } from './approval-controller.ts';
import { runEstablishingController } from './establishing-controller.ts';
import { runNamingController } from './naming-controller.ts';
import { runNonStructuralSchemaController } from './non-structural-schema-controller.ts';
import { runOpenApiConditionController } from './openapi-condition-controller.ts';

/** Runs all controllers of the status of CustomResourceDefinitions. */
export async function runCustomResourceConditions(
  dependencies: ControllerDependencies,
  undescribed: UndescribedDefinitions,
): Promise<void> {
  await Promise.all([
    runNamingController(dependencies),
    runEstablishingController(dependencies),
    runNonStructuralSchemaController(dependencies),
    runApprovalController(dependencies),
    runOpenApiConditionController(dependencies, undescribed),
  ]);
}
