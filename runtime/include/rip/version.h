/* Version of the runtime. Code that ripc emits checks it when it is compiled. SPDX-License-Identifier: MIT-0 */
#ifndef RIP_VERSION_H
#define RIP_VERSION_H

#define RIP_VERSION_MAJOR 0
#define RIP_VERSION_MINOR 2
#define RIP_VERSION 200 /* major * 10000 + minor * 100 */

#endif
