apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-settings
  labels: {{- include "lantern.labels" . | nindent 4 }}
data:
  colour: {{ .Values.colour | quote }}
  revision: {{ .Release.Revision | quote }}
  release: {{ printf "%s in %s" .Release.Name .Release.Namespace | quote }}
  upgraded: {{ .Release.IsUpgrade | quote }}
  minor: {{ .Capabilities.KubeVersion.Minor | quote }}
  flunders: {{ .Capabilities.APIVersions.Has "wardle.example.com/v1alpha1/Flunder" | quote }}
  {{- range $key, $value := .Values.extra }}
  {{ $key }}: {{ $value | quote }}
  {{- end }}
---
# A password is made once: an upgrade finds the one that is there.
{{- $name := printf "%s-password" .Release.Name }}
{{- $present := lookup "v1" "Secret" .Release.Namespace $name }}
apiVersion: v1
kind: Secret
metadata:
  name: {{ $name }}
  labels: {{- include "lantern.labels" . | nindent 4 }}
type: Opaque
data:
  {{- if $present }}
  password: {{ index $present.data "password" }}
  found: {{ "yes" | b64enc }}
  {{- else }}
  password: {{ printf "%s-first" .Release.Name | b64enc }}
  found: {{ "no" | b64enc }}
  {{- end }}
