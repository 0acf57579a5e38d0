{{- range .Values.beds }}
---
apiVersion: nursery.example.com/v1
kind: Bed
metadata:
  name: {{ . }}
spec:
  flower: {{ . }}
  size: {{ $.Values.size }}
  rows:
    - name: first
      seeds: 10
    - name: second
      seeds: 5%
{{- end }}
---
apiVersion: nursery.example.com/v1
kind: Gardener
metadata:
  name: {{ .Release.Name }}
spec:
  anything:
    goes: [1, "two", null]
