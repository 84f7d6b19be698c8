/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COFLOW_MAIN_H
#define COFLOW_MAIN_H

namespace ns3::coflow
{

/// Runs a script and prints an error that the script does not catch in one line on standard error,
/// in place of `terminate called after throwing`:
///
///     int Script(int argc, char* argv[]) { ... }
///
///     int main(int argc, char* argv[]) { return ns3::coflow::RunMain(argc, argv, Script); }
///
/// @param argc argument of main()
/// @param argv argument of main()
/// @param script the script
/// @return the return value of the script; 2 after an InputError, 1 after another exception
int RunMain(int argc, char* argv[], int (*script)(int argc, char* argv[]));

} // namespace ns3::coflow

#endif // COFLOW_MAIN_H
