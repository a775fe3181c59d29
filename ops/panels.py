"""The panels of the Grafana dashboard. ops/dashboard.py turns them into JSON.

Queries are PromQL for all processes, and use the range `[5m]`. The generator restricts them to the chosen processes,
and replaces `[5m]` by the interval that Grafana chooses. To draw the threshold of an alert, write the query like the
rule's expression in ops/alerts.yml, but without `environment`.
"""

from typing import NamedTuple


class Panel(NamedTuple):
    """A panel of the dashboard. `queries` has a PromQL query for each name in the legend. In a name, `{{label}}` stands
    for the value of a label.
    """

    title: str
    unit: str
    """A unit of Grafana, such as `s`, `short` (a number), `cps` (per second) or `percentunit` (0 to 1 as percent)."""
    queries: dict[str, str]
    note: str = ""
    is_stacked: bool = False
    states: tuple[str, str] | None = None
    """The texts for the values 0 and 1. If given, the panel shows coloured bars with these texts in place of lines."""
    width: int = 8
    """The width of the panel. The dashboard has 24 columns."""


LEFT_OUT = {
    "plaudit_anonymous_views_and_shares_not_counted_total": "for looking into one abuse",
    "plaudit_batch_entries": "the changes stored and the time of a commit say more",
    "plaudit_exports_total": "there are few, and the user who downloads one sees that it failed",
    "plaudit_fanout_pushes_total": "the lag and the duration say whether the fan-out works",
    "plaudit_deletions_removed_total": "`plaudit deletions` shows it by account and entity",
    "plaudit_hot_key_reads_per_second": "its keys change all the time",
    "plaudit_image_verifications_total": "the proxy in front has its own metrics",
    "plaudit_persisted_requests_total": "`plaudit persisted usage` shows it by operation",
    "plaudit_retention_removed_total": "`plaudit retention` shows it, and what is left",
    "plaudit_tasks": "for looking into one process",
}
"""The metrics that the dashboard does not show, each with the reason."""

ROWS: dict[str, list[Panel]] = {
    "Is it serving?": [
        Panel(
            "Firing alerts",
            "short",
            {
                "{{alertname}} ({{severity}})": "max by (alertname, severity)"
                ' (ALERTS{alertname=~"Plaudit.+", alertstate="firing"})'
            },
            "Those of ops/alerts.yml, if Prometheus has loaded it. docs/operate/monitor.md has a runbook for each.",
            states=("", "firing"),
            width=24,
        ),
        Panel(
            "Requests",
            "reqps",
            {"{{outcome}}": "sum by (outcome) (rate(plaudit_requests_total[5m]))"},
            "Degraded: answered without some values, because a store was down.",
            is_stacked=True,
        ),
        Panel(
            "Share of requests that fail",
            "percentunit",
            {
                "{{code}}": 'sum by (code) (rate(plaudit_errors_total{code=~"INTERNAL|UNAVAILABLE"}[5m]))'
                " / on () group_left () sum(rate(plaudit_requests_total[5m]))"
            },
        ),
        Panel(
            "Time to answer",
            "s",
            {
                "median": "histogram_quantile(0.5, sum by (le) (rate(plaudit_request_seconds_bucket[5m])))",
                "95 %": "histogram_quantile(0.95, sum by (le) (rate(plaudit_request_seconds_bucket[5m])))",
                "99 %": "histogram_quantile(0.99, sum by (le) (rate(plaudit_request_seconds_bucket[5m])))",
            },
        ),
        Panel(
            "Slowest operations (95 %)",
            "s",
            {
                "{{operation}}": "topk(8, histogram_quantile(0.95,"
                " sum by (le, operation) (rate(plaudit_request_seconds_bucket[5m]))))"
            },
        ),
        Panel(
            "Processes",
            "short",
            {"{{role}} {{version}}": "count by (role, version) (plaudit_build_info)"},
            "PlauditNoApi fires while no API answers Prometheus, and PlauditProcessDown while a process does not.",
        ),
        Panel(
            "Processors in use",
            "short",
            {"{{instance}}": "sum by (instance) (rate(process_cpu_seconds_total[5m]))"},
            "A process uses at most one.",
        ),
        Panel(
            "Errors sent to clients",
            "short",
            {"{{code}}": "sum by (code) (rate(plaudit_errors_total[5m]))"},
        ),
        Panel(
            "Values missing from answers",
            "short",
            {"{{reason}}": "sum by (reason) (rate(plaudit_degraded_fields_total[5m]))"},
        ),
        Panel(
            "Rate budgets that processes charge alone",
            "short",
            {"{{budget}}": 'sum by (budget) (rate(plaudit_budget_charges_total{outcome="stand-in"}[5m]))'},
        ),
        Panel(
            "Refused requests",
            "reqps",
            {
                "process is full": "sum(rate(plaudit_requests_shed_total[5m]))",
                "budget {{budget}}": 'sum by (budget) (rate(plaudit_budget_charges_total{outcome="refused"}[5m]))',
                "connection, {{status}}": "sum by (status) (rate(plaudit_connections_refused_total[5m]))",
            },
        ),
    ],
    "Writes": [
        Panel(
            "Write mode",
            "short",
            {"writes": "max(plaudit_write_mode_direct)"},
            "Direct: to Postgres, because the state Redis is not available.",
            states=("journal", "direct"),
        ),
        Panel(
            "Changes stored",
            "cps",
            {"{{kind}}": "sum by (kind) (rate(plaudit_entries_stored_total[5m]))"},
        ),
        Panel(
            "Changes refused: a journal is full",
            "cps",
            {"changes": "sum(rate(plaudit_journal_refusals_total[5m]))"},
        ),
        Panel("Oldest change that is not stored", "s", {"age": "max(plaudit_journal_lag_seconds)"}),
        Panel(
            "Longest journal",
            "percentunit",
            {"share of its limit": "max(plaudit_journal_entries) / max(plaudit_journal_max_entries)"},
        ),
        Panel(
            "From acknowledgement to commit",
            "s",
            {
                "median": "histogram_quantile(0.5, sum by (le) (rate(plaudit_persist_seconds_bucket[5m])))",
                "99 %": "histogram_quantile(0.99, sum by (le) (rate(plaudit_persist_seconds_bucket[5m])))",
            },
        ),
    ],
    "Stores": [
        Panel(
            "Stores that answer",
            "short",
            {"{{store}} {{job}} {{instance}}": "min by (store, job, instance) (plaudit_store_up)"},
            states=("down", "up"),
            width=12,
        ),
        Panel(
            "Memory of state servers",
            "percentunit",
            {"{{server}}": "max by (server) (plaudit_redis_memory_ratio)"},
            width=12,
        ),
        Panel(
            "Sent to the stores",
            "ops",
            {
                "pipelines": "sum(rate(plaudit_redis_round_trips_total[5m]))",
                "Redis commands": "sum(rate(plaudit_redis_commands_total[5m]))",
                "SQL statements": "sum(rate(plaudit_sql_queries_total[5m]))",
            },
            width=12,
        ),
        Panel(
            "Store accesses of a request",
            "short",
            {
                "Redis round trips": "sum(rate(plaudit_request_redis_round_trips_sum[5m]))"
                " / sum(rate(plaudit_request_redis_round_trips_count[5m]))",
                "SQL queries": "sum(rate(plaudit_request_sql_queries_sum[5m]))"
                " / sum(rate(plaudit_request_sql_queries_count[5m]))",
            },
            "The mean.",
            width=12,
        ),
    ],
    "Workers": [
        Panel(
            "Partitions with a worker",
            "short",
            {"owned": "sum(plaudit_partitions_owned)", "all": "max(plaudit_partitions)"},
            "PlauditJournalsUnowned fires while fewer than all are owned.",
        ),
        Panel(
            "Duration of a commit",
            "s",
            {
                "median": "histogram_quantile(0.5, sum by (le) (rate(plaudit_commit_seconds_bucket[5m])))",
                "99 %": "histogram_quantile(0.99, sum by (le) (rate(plaudit_commit_seconds_bucket[5m])))",
            },
        ),
        Panel("Batches retried", "cps", {"batches": "sum(rate(plaudit_worker_retries_total[5m]))"}),
        Panel(
            "Write limits lowered in 15 minutes",
            "short",
            {"{{why}}": "sum by (why) (increase(plaudit_write_throttles_total[15m]))"},
        ),
        Panel("Write limits", "short", {"{{instance}}": "min by (instance) (plaudit_write_limit_entries)"}),
        Panel(
            "Dead letters",
            "short",
            {
                "waiting": "max(plaudit_dead_letters_waiting)",
                "new in 15 minutes": "sum(increase(plaudit_dead_letters_total[15m]))",
            },
        ),
        Panel(
            "Oldest post on its way to inboxes",
            "s",
            {"age": "max(plaudit_fanout_lag_seconds)"},
        ),
        Panel("Oldest change that search lacks", "s", {"age": "max(plaudit_search_lag_seconds)"}),
        Panel("Changes that search lacks", "short", {"waiting": "max(plaudit_search_waiting)"}),
        Panel(
            "From acknowledgement to the last inbox",
            "s",
            {
                "median": "histogram_quantile(0.5, sum by (le) (rate(plaudit_fanout_seconds_bucket[5m])))",
                "99 %": "histogram_quantile(0.99, sum by (le) (rate(plaudit_fanout_seconds_bucket[5m])))",
            },
        ),
        Panel("Drift", "short", {"{{kind}}": "max by (kind) (plaudit_drift)"}, "Should be 0."),
        Panel(
            "Data that is kept for too long",
            "s",
            {"{{kind}}": "max by (kind) (plaudit_retention_overdue_seconds)"},
            "Should be 0, except after a shorter period or an upgrade.",
        ),
        Panel("Accounts that are being deleted", "short", {"{{state}}": "max by (state) (plaudit_deletions)"}),
        Panel("Entities that are being erased", "short", {"{{state}}": "max by (state) (plaudit_erasures)"}),
    ],
    "Two sites": [
        Panel(
            "How far the reading site is behind",
            "s",
            {"{{store}}": "max by (store) (plaudit_site_lag_seconds)"},
            "Above two seconds, the site forwards all operations.",
        ),
        Panel(
            "Operations sent to the other site",
            "reqps",
            {"{{kind}}, {{outcome}}": "sum by (kind, outcome) (rate(plaudit_forwarded_total[5m]))"},
            "Mutations without an answer were refused. Queries without an answer were answered with older values.",
            is_stacked=True,
        ),
        Panel(
            "Operations that the other site did not answer",
            "reqps",
            {
                "all": 'sum(rate(plaudit_forwarded_total{outcome="unanswered"}[5m]))',
                "answered with older values": "sum(rate(plaudit_stale_answers_total[5m]))",
            },
        ),
    ],
    "Outgoing events": [
        Panel(
            "Events sent",
            "cps",
            {"{{destination}}": "sum by (destination) (rate(plaudit_outgoing_events_sent_total[5m]))"},
        ),
        Panel(
            "Oldest event that waits",
            "s",
            {"{{destination}}": "max by (destination) (plaudit_outgoing_events_lag_seconds)"},
        ),
        Panel(
            "Failed attempts",
            "cps",
            {
                "{{destination}}: {{reason}}": "sum by (destination, reason)"
                " (rate(plaudit_outgoing_requests_failed_total[5m]))"
            },
        ),
        Panel(
            "Stopped destinations",
            "short",
            {"{{destination}} {{state}}": "max by (destination, state) (plaudit_outgoing_destinations_stopped)"},
            states=("", "stopped"),
            width=24,
        ),
    ],
    "Caches": [
        Panel(
            "Share of keys that are cached",
            "percentunit",
            {
                "{{loader}}": 'sum by (loader) (rate(plaudit_cache_reads_total{outcome!="miss"}[5m]))'
                " / sum by (loader) (rate(plaudit_cache_reads_total[5m]))"
            },
        ),
        Panel(
            "What answered how viewers reacted",
            "ops",
            {"{{exit}}": "sum by (exit) (rate(plaudit_reaction_lookups_total[5m]))"},
            is_stacked=True,
        ),
        Panel("Keys in local caches", "short", {"{{instance}}": "sum by (instance) (plaudit_hot_keys)"}),
        Panel(
            "Operations by id or hash",
            "reqps",
            {"{{found}}": "sum by (found) (rate(plaudit_persisted_total[5m]))"},
            is_stacked=True,
            width=12,
        ),
        Panel(
            "How operations were executed",
            "reqps",
            {"{{outcome}} {{reason}}": "sum by (outcome, reason) (rate(plaudit_plans_total[5m]))"},
            is_stacked=True,
            width=12,
        ),
    ],
    "Realtime": [
        Panel(
            "Open connections",
            "short",
            {"{{transport}}": "sum by (transport) (plaudit_connections)"},
            is_stacked=True,
        ),
        Panel(
            "Subscriptions",
            "short",
            {"{{operation}}": "sum by (operation) (plaudit_subscriptions)"},
            is_stacked=True,
        ),
        Panel(
            "Events sent to subscribers",
            "cps",
            {"{{operation}}": "sum by (operation) (rate(plaudit_events_total[5m]))"},
        ),
        Panel(
            "Channels without a server",
            "short",
            {"{{instance}}": "max by (instance) (plaudit_channels_unconfirmed)"},
            "Should be 0: their subscribers hear nothing.",
            width=12,
        ),
        Panel(
            "WebSockets closed by the server",
            "cps",
            {"{{code}}": "sum by (code) (rate(plaudit_websockets_closed_total[5m]))"},
            width=12,
        ),
    ],
    "Moderation": [
        Panel("Open cases", "short", {"{{source}}": "max by (source) (plaudit_moderation_cases)"}),
        Panel("Oldest open case", "s", {"age": "max(plaudit_moderation_oldest_case_seconds)"}),
        Panel("Oldest open appeal", "s", {"age": "max(plaudit_moderation_oldest_appeal_seconds)"}),
        Panel(
            "Decisions of the last 24 hours",
            "short",
            {"{{action}} ({{role}})": "max by (role, action) (plaudit_moderation_decisions)"},
        ),
        Panel(
            "Appeals granted in the last 24 hours",
            "percentunit",
            {
                "share": 'sum(plaudit_moderation_decisions{action="appeal_granted"})'
                ' / sum(plaudit_moderation_decisions{action=~"appeal_granted|appeal_denied"})'
            },
        ),
        Panel(
            "External reviewer",
            "cps",
            {
                "submissions: {{outcome}}": "sum by (outcome) (rate(plaudit_reviews_total[5m]))",
                "later decisions: {{status}}": "sum by (status) (rate(plaudit_review_callbacks_total[5m]))",
            },
        ),
        Panel(
            "Response time of the external reviewer",
            "s",
            {
                "median": "histogram_quantile(0.5, sum by (le) (rate(plaudit_review_seconds_bucket[5m])))",
                "99 %": "histogram_quantile(0.99, sum by (le) (rate(plaudit_review_seconds_bucket[5m])))",
            },
        ),
    ],
}
