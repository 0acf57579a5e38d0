import { PodTemplate } from '@tributary/api/core-v1';
import { root } from '@tributary/apimachinery';
import { defineResource, nameColumn, version } from '@tributary/server/definition';
import { column } from '../../shared/columns.ts';
import { validationHooks } from '../../shared/validation-hooks.ts';
import { containerColumns, labelsText } from '../../shared/workload-columns.ts';
import { defaultPodSpec } from './defaults.ts';
import { validatePodTemplate } from './validation.ts';

export const podTemplateKind = defineResource({
  kind: 'PodTemplate',
  plural: 'podtemplates',
  scope: 'Namespaced',
  allowUnconditionalUpdate: true,
  returnsDeletedObject: true,
  versions: {
    v1: version({
      typed: PodTemplate,
      columns: [
        nameColumn,
        ...containerColumns<PodTemplate>(({ template }) => template.spec.containers),
        column<PodTemplate>('Pod Labels', 'The labels of its pods', ({ template }) =>
          labelsText(template.metadata.labels),
        ),
      ],
      applyDefaults: ({ template }) => defaultPodSpec(template.spec),
      ...validationHooks<PodTemplate>({
        validate: ({ template }) => validatePodTemplate(template, root('template')),
      }),
    }),
  },
});
