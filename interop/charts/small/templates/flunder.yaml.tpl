{{- if .Values.flunder.enabled }}
# Served by another server, behind the aggregator.
apiVersion: wardle.example.com/v1alpha1
kind: Flunder
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "lantern.labels" . | nindent 4 }}
spec:
  reference: {{ .Values.flunder.reference | quote }}
  referenceType: Flunder
{{- end }}
