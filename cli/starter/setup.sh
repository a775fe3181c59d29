#!/bin/sh
# Registers the page with a token of a service, and writes page/config.js: the address of the API, and tokens of two users.
# Run it while `plaudit dev` runs.
set -eu
cd "$(dirname "$0")"
[ -f .data/plaudit.json ] || { echo "Nothing runs here. Run: plaudit dev --no-seed" >&2; exit 1; }
url=$(sed -n 's/^ *"url": "\(.*\)",$/\1/p' .data/plaudit.json)

# The token of a service. In production, your identity provider issues it, and only your servers have it.
service=$(plaudit token --data-dir .data --user @NAME@-service --scope entities:write)
answer=$(curl --silent --show-error --fail-with-body "$url/graphql" \
  --header "Authorization: Bearer $service" --header "Content-Type: application/json" --data '{"query":
    "mutation { registerEntities(entities: [{business: \"@BUSINESS@\", key: \"home\", title: \"@NAME@\"}]) { entities { id } userErrors { message } } }"}')
case $answer in
  *'"id":"Entity:@BUSINESS@:home"'*) ;;
  *) echo "The page was not registered: $answer" >&2; exit 1 ;;
esac

# Tokens of users. In production, users sign in at your identity provider.
alice=$(plaudit token --data-dir .data --user alice)
bob=$(plaudit token --data-dir .data --user bob)
cat > page/config.js <<END
window.plaudit = { api: "$url/graphql", subject: "Entity:@BUSINESS@:home", users: { alice: "$alice", bob: "$bob" } };
END
echo "Registered Entity:@BUSINESS@:home, and wrote page/config.js."
