/* First instructions and trap of rv32. SPDX-License-Identifier: MIT-0 */
        .option arch, +zicsr
        .section .start, "ax"
        .global start
start:
        .option push
        .option norelax
        la      gp, __global_pointer$
        .option pop
        la      sp, stack_high
        la      t0, trap
        csrw    mtvec, t0
        call    prepare_memory
        call    main
        call    board_close

        .balign 4
trap:   la      sp, stack_high  /* the stack itself may be the fault */
        csrr    a0, mcause
        csrr    a1, mepc
        csrr    a2, mtval
        call    report_fault
