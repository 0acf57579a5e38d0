import { PodTemplate } from '@tributary/api/core-v1';
import { root } from '@tributary/apimachinery';
import { nameColumn } from '@tributary/server/definition';
import { column } from '../../shared/columns.ts';
import { storedKind } from '../../shared/stored-kind.ts';
import { containerColumns, labelsText } from '../../shared/workload-columns.ts';
import { defaultPodSpec } from './defaults.ts';
import { validatePodTemplate } from './validation.ts';

export const podTemplateKind = storedKind<PodTemplate>({
  typed: PodTemplate,
  plural: 'podtemplates',
  generation: true,
  returnsDeletedObject: true,
  allColumns: [
    nameColumn,
    ...containerColumns<PodTemplate>(({ template }) => template.spec.containers),
    column('Pod Labels', 'The labels of its pods', ({ template }) =>
      labelsText(template.metadata.labels),
    ),
  ],
  applyDefaults: ({ template }) => defaultPodSpec(template.spec),
  validate: ({ template }) => validatePodTemplate(template, root('template')),
});
