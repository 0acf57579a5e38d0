apiVersion: v1
kind: Service
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "lantern.labels" . | nindent 4 }}
spec:
  type: {{ .Values.service.type }}
  selector: {{- include "lantern.selector" . | nindent 4 }}
  ports:
    - name: http
      port: {{ .Values.service.port }}
      targetPort: http
{{- if .Values.fenced }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ .Release.Name }}
  labels: {{- include "lantern.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels: {{- include "lantern.selector" . | nindent 6 }}
  ingress:
    - ports:
        - port: http
{{- end }}
