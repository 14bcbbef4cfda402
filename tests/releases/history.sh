# Sourced, in the top folder of the source: whether git has its history.
# shellcheck shell=bash

# What git sets for its hooks would have every repository be the hook's own.
# shellcheck disable=SC2046  # names
unset $(git rev-parse --local-env-vars 2>/dev/null | grep --invert-match '^GIT_CONFIG')
