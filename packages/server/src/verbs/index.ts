/** Parts of verbs shared with subresources of the control plane. */

export { labelSelectorText } from './label-selector-text.ts';
export { patchTypes } from './patch-documents.ts';
