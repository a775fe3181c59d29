"""Files for the monitoring of Plaudit: alert rules for Prometheus, and a dashboard for Grafana with its generator."""
