# pairbench_warnings(TARGET): the warnings that all of this project's code compiles without.
function(pairbench_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion -Wundef -Wformat=2
    $<$<COMPILE_LANGUAGE:C>:-Wvla -Wstrict-prototypes -Wmissing-prototypes>
    $<$<BOOL:${PAIRBENCH_WERROR}>:-Werror>)
endfunction()
