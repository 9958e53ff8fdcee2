#!/bin/sh
# What child_process.fork and spawn(process.execPath) start in an Electron app.
echo "Electron starts a second instance of the app here, and runs no script." >&2
exit 1
