# Before everything else: what follows lies in it. It is not the release's, and stays.
apiVersion: v1
kind: Namespace
metadata:
  name: {{ .Values.workplace }}
  annotations:
    helm.sh/hook: pre-install
    helm.sh/hook-weight: "-10"
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: rules
  namespace: {{ .Values.workplace }}
data:
  # Written in several lines, as people do.
  rules.yaml: |
    flunders:
    {{- range .Values.flunders }}
      - {{ . }}
    {{- end }}
{{- range .Values.flunders }}
---
apiVersion: wardle.example.com/v1alpha1
kind: Flunder
metadata:
  name: {{ . }}
  namespace: {{ $.Values.workplace }}
spec:
  reference: {{ $.Release.Name }}
  referenceType: Flunder
{{- end }}
