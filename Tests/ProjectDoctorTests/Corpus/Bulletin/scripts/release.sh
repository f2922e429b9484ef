#!/bin/sh
# Signs the app with the entitlements of iCloud where a profile allows them.
set -eu
entitlements=Signing/Bulletin.entitlements
if [ -n "${PROFILE:-}" ]; then
    entitlements=$(mktemp)
    cp Signing/Bulletin.entitlements "$entitlements"
    /usr/libexec/PlistBuddy -c "Merge Signing/Bulletin-iCloud.entitlements" "$entitlements"
fi
codesign --force --options runtime --entitlements "$entitlements" --sign "$IDENTITY" build/Bulletin.app
