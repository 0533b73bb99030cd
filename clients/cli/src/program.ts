/** The commands. */
import { Command } from 'commander';
import { addApplyCommands } from './apply/commands.ts';
import { addCodeCommands } from './codes.ts';
import { addMcpCommand } from './mcp.ts';
import type { Settings } from './settings.ts';

export const createProgram = (settings: Settings): Command => {
  const program = new Command('waymark')
    .description('Codes of Waymark from the command line.')
    .addHelpText('after', '\nWAYMARK_URL is the address of the API, WAYMARK_API_KEY a key of your workspace.')
    .showHelpAfterError('(waymark --help shows the commands)');
  addCodeCommands(program, settings);
  addApplyCommands(program, settings);
  addMcpCommand(program, settings);
  return program;
};
