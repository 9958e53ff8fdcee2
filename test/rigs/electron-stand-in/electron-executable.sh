#!/bin/sh
# What child_process.fork and spawn(process.execPath) get in an app on Electron.
echo "Electron starts a second instance of the app here, and runs no script." >&2
exit 1
